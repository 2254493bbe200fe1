/** The gallery: every component, with its arguments to play with. */
export function Gallery() {
  return <h1>Gallery</h1>;
}
