# For test frameworks that build engines with make: `make EXE=name` leaves the program `name` here,
# built for this machine's processor. People use cargo.
EXE ?= secateur

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif

all:
	cargo rustc --release -p secateur --bin secateur -- -C target-cpu=native --emit link=$(EXE)$(SUFFIX)

.PHONY: all
