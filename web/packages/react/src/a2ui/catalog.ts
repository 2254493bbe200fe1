/** The catalogs that we draw: our own, which extends the basic one, and the basic one by every name that it goes by. */
import { Catalog, type WebComponentImplementation } from "@a2ui/web_core/v0_9";
import { BASIC_FUNCTIONS } from "@a2ui/web_core/v0_9/basic_catalog";
import { components } from "./elements.js";

/** Our catalog. */
export const FORESTAGE_CATALOG = "https://forestage.dev/a2ui/v0_9/catalog.json";

/** The names of the basic catalog, in the order in which they came up. */
const BASIC = [
  "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
  "https://a2ui.org/specification/v0_9/basic_catalog.json",
  "https://a2ui.org/specification/v0_9/standard_catalog.json",
  "https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json",
  "https://a2ui.org/specification/v0_9_1/basic_catalog.json",
];

export const catalogs: Catalog<WebComponentImplementation>[] = [FORESTAGE_CATALOG, ...BASIC].map(
  (id) => new Catalog(id, components, BASIC_FUNCTIONS),
);
