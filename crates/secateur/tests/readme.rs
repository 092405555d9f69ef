//! The examples of the README do what it says.

#![cfg(all(feature = "chess", feature = "othello"))]

#[test]
fn the_examples_of_the_readme_do_what_it_says() {
    // Commands of other programs (`cargo`) are not run: CI runs them itself.
    trycmd::TestCases::new()
        .register_bin("cargo", trycmd::schema::Bin::Ignore)
        .case("../../README.md");
}
