/** Files that a bundler gives addresses to. */
declare module "*&no-inline" {
  const address: string;
  export default address;
}
