/** Surfaces to play with: a form, a table, what the catalog has, and the states of one that cannot be seen. */

export interface SurfaceItem {
  slug: string;
  title: string;
  about: string;
  content: Record<string, unknown>;
}

const BASIC = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

function drawn(surfaceId: string, components: object[], data: object): Record<string, unknown> {
  const version = "v0.9";
  return {
    a2ui_operations: [
      { version, createSurface: { surfaceId, catalogId: BASIC } },
      { version, updateComponents: { surfaceId, components } },
      { version, updateDataModel: { surfaceId, path: "/", value: data } },
    ],
  };
}

export const surfaces: SurfaceItem[] = [
  {
    slug: "surface-form",
    title: "Form",
    about: "A name to type and a button that sends it.",
    content: drawn(
      "my-form",
      [
        { id: "root", component: "Card", child: "form" },
        { id: "form", component: "Column", children: ["name", "submit", "status"] },
        { id: "name", component: "TextField", label: "Name", value: { path: "/form/name" } },
        { id: "submit", component: "Button", child: "submit-text", variant: "primary", action: { event: { name: "submit", context: { userName: { path: "/form/name" } } } } },
        { id: "submit-text", component: "Text", text: "Submit" },
        { id: "status", component: "Text", text: { path: "/status" }, variant: "caption" },
      ],
      { form: { name: "" }, status: "" },
    ),
  },
  {
    slug: "surface-table",
    title: "Booking",
    about: "A slider, a choice, and a button that waits until something is chosen.",
    content: drawn(
      "table",
      [
        { id: "root", component: "Card", child: "all" },
        { id: "all", component: "Column", children: ["title", "guests", "where", "when", "quiet", "book"] },
        { id: "title", component: "Text", text: "A table for tonight", variant: "h3" },
        { id: "guests", component: "Slider", label: "Guests", min: 1, max: 8, value: { path: "/guests" } },
        {
          id: "where",
          component: "ChoicePicker",
          label: "Where",
          variant: "mutuallyExclusive",
          options: [
            { label: "Inside", value: "inside" },
            { label: "On the terrace", value: "terrace" },
          ],
          value: { path: "/where" },
        },
        { id: "when", component: "DateTimeInput", label: "When", enableDate: true, enableTime: true, value: { path: "/when" } },
        { id: "quiet", component: "CheckBox", label: "A quiet place, please", value: { path: "/quiet" } },
        {
          id: "book",
          component: "Button",
          child: "book-text",
          variant: "primary",
          checks: [{ condition: { call: "required", args: { value: { path: "/where" } } }, message: "Say where you would like to sit" }],
          action: { event: { name: "book", context: { guests: { path: "/guests" }, where: { path: "/where" } } } },
        },
        { id: "book-text", component: "Text", text: "Book" },
      ],
      { guests: 2, where: [], when: "", quiet: false },
    ),
  },
  {
    slug: "surface-catalog",
    title: "Catalog",
    about: "Text with Markdown, icons, a list, tabs and what lies over the page.",
    content: drawn(
      "catalog",
      [
        { id: "root", component: "Column", children: ["title", "words", "icons", "tabs", "line", "more"] },
        { id: "title", component: "Text", text: "What a surface is made of", variant: "h2" },
        { id: "words", component: "Text", text: "Words may be **strong**, *gentle*, `code`, or a [link](https://example.com)." },
        { id: "icons", component: "Row", children: ["mail", "home", "star"] },
        { id: "mail", component: "Icon", name: "mail", accessibility: { label: "Mail" } },
        { id: "home", component: "Icon", name: "home" },
        { id: "star", component: "Icon", name: "star" },
        {
          id: "tabs",
          component: "Tabs",
          tabs: [
            { title: "List", child: "list" },
            { title: "Picture", child: "picture" },
          ],
        },
        { id: "list", component: "List", children: { componentId: "item", path: "/items" } },
        { id: "item", component: "Text", text: { path: "name" } },
        { id: "picture", component: "Image", url: "https://example.com/picture.png", description: "A picture that is elsewhere" },
        { id: "line", component: "Divider" },
        { id: "more", component: "Modal", trigger: "open", content: "inside" },
        { id: "open", component: "Button", child: "open-text", action: { functionCall: { call: "noop", args: {} } } },
        { id: "open-text", component: "Text", text: "More" },
        { id: "inside", component: "Text", text: "This lies over the page until it is closed." },
      ],
      { items: [{ name: "One" }, { name: "Two" }, { name: "Three" }] },
    ),
  },
  { slug: "surface-building", title: "Being drawn", about: "Before there is enough of it to be seen.", content: { status: "building" } },
  {
    slug: "surface-retrying",
    title: "Tried again",
    about: "What the agent drew was no surface; it tries once more.",
    content: { status: "retrying", attempt: 1, maxAttempts: 3, errors: [{ code: "unknown_component", path: "/components/0", message: "there is no component `Tex`" }] },
  },
  {
    slug: "surface-failed",
    title: "Given up",
    about: "The agent has tried often enough.",
    content: { status: "failed", error: "there is no component `Tex`", attempts: 3, maxAttempts: 3, errors: [{ code: "unknown_component", path: "/components/0", message: "there is no component `Tex`" }] },
  },
];
