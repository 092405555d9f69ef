# For test frameworks that build engines with make: `make EXE=name` leaves the program `name` here,
# built for this machine's processor. People use cargo.
EXE ?= secateur

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

# For every crate: behind the `--` of cargo it would be for the last one only.
export RUSTFLAGS := $(RUSTFLAGS) -C target-cpu=native

all:
	cargo rustc --release -p secateur --bin secateur --target-dir target/native -- --emit link=$(EXE)$(SUFFIX)

.PHONY: all
