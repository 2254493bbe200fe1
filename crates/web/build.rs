//! New files of the web app have new names, which cargo does not see by itself.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../web/app/dist");
}
