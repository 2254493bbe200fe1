/** Views of `a2ui.v1` to play with. */

export interface ViewItem {
  slug: string;
  title: string;
  about: string;
  view: unknown;
}

export const views: ViewItem[] = [
  {
    slug: "view-onboarding",
    title: "Onboarding",
    about: "A form with text and numbers, in sections.",
    view: {
      kind: "a2ui.v1",
      viewId: "profile_onboarding_v1",
      title: "Welcome to the club",
      root: {
        type: "screen",
        children: [
          { type: "text", text: "Say a little about yourself. You can change it before it is saved." },
          {
            type: "form",
            id: "profile_onboarding",
            submitLabel: "Save profile",
            fields: [
              { type: "field.text", name: "firstName", label: "First name", required: true },
              { type: "field.text", name: "lastName", label: "Last name" },
              { type: "field.text", name: "goals", label: "Goals", value: "Run ten kilometres" },
              { type: "field.number", name: "age", label: "Age" },
            ],
          },
          { type: "section", title: "What happens with it", children: [{ type: "text", text: "It is kept with your account.\nNobody else sees it." }] },
        ],
      },
    },
  },
  {
    slug: "view-saved",
    title: "Saved",
    about: "Only words.",
    view: { kind: "a2ui.v1", viewId: "profile_saved_v1", title: "Welcome", root: { type: "screen", children: [{ type: "text", text: "Your profile is saved, Ada." }] } },
  },
  {
    slug: "view-faulty",
    title: "Not a view",
    about: "What is wrong is said, and nothing of it is shown.",
    view: { kind: "a2ui.v1", viewId: "", root: { type: "screen", children: [{ type: "picture", url: "x" }] } },
  },
];
