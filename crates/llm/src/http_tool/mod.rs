//! Tools that are HTTP requests, declared in an agent file.
//!
//! The address is a template whose host stands fixed; arguments fill its path and query, and nothing of them decides where
//! the request goes. Addresses of this machine and of private networks are refused, also where a name or a redirect leads
//! there, unless the file allows them. Secrets are named, and read from the environment when they are needed.

mod address;
mod call;
mod client;
mod file;
mod template;

pub use self::call::HttpTool;
pub(crate) use self::{
    client::{client_for, fixed_url},
    file::HttpToolFile,
    template::with_secrets,
};
