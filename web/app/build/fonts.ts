/** A Vite plugin: leaves out older forms of fonts. Every browser that runs the app reads WOFF2, which style sheets name first. */
import type { Plugin } from "vite";

export function newestFonts(): Plugin {
  return {
    name: "forestage:fonts",
    apply: "build",
    generateBundle(_, bundle) {
      for (const file of Object.keys(bundle)) if (/\.(woff|ttf)$/.test(file)) delete bundle[file];
    },
  };
}
