/** The gallery: every component and surface with its arguments to play with, and every agent one click away. */
import { useMessages } from "@forestage/react/i18n";
import { type ReactNode, useEffect, useRef } from "react";
import { go, paths, useRoute } from "../router.js";
import { Agents } from "./agents.js";
import { ComponentStage } from "./component-stage.js";
import { components } from "./items.js";
import { SurfaceStage } from "./surface-stage.js";
import { surfaces } from "./surfaces.js";
import { ViewStage } from "./view-stage.js";
import { views } from "./views.js";
import { words } from "./words.js";
import "./gallery.css";

/** Something to see. */
interface Exhibit {
  slug: string;
  title: string;
  about: ReactNode;
  stage: ReactNode;
}

export function Gallery() {
  const text = useMessages(words);
  const route = useRoute();
  const groups = useGroups();
  const all = groups.flatMap((group) => group.exhibits);
  const slug = route.page === "gallery" ? (route.item ?? all[0]?.slug) : undefined;
  const exhibit = all.find((one) => one.slug === slug);
  const nav = useRef<HTMLElement>(null);
  useEffect(() => void nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [slug]);
  return (
    <div className="gallery">
      <nav className="gallery-nav" aria-label={text.gallery} ref={nav}>
        <p>{text.intro}</p>
        {groups.map((group) => (
          <Group key={group.title} {...group} slug={slug} />
        ))}
      </nav>
      <section className="gallery-main" aria-label={exhibit?.title ?? text.gallery}>
        {exhibit === undefined ? (
          <p>{text.unknown}</p>
        ) : (
          <>
            <h2>{exhibit.title}</h2>
            <p className="gallery-about">{exhibit.about}</p>
            {exhibit.stage}
          </>
        )}
      </section>
    </div>
  );
}

function useGroups(): { title: string; exhibits: Exhibit[] }[] {
  const text = useMessages(words);
  return [
    {
      title: text.components,
      exhibits: components.map((item) => ({
        slug: item.slug,
        title: item.title,
        about: (
          <>
            {item.about} <code>{item.name}</code>
          </>
        ),
        stage: <ComponentStage key={item.slug} item={item} />,
      })),
    },
    { title: text.surfaces, exhibits: surfaces.map((item) => ({ ...item, stage: <SurfaceStage key={item.slug} item={item} /> })) },
    { title: text.views, exhibits: views.map((item) => ({ ...item, stage: <ViewStage key={item.slug} item={item} /> })) },
    { title: text.agents, exhibits: [{ slug: "agents", title: text.agents, about: text.agentsAbout, stage: <Agents /> }] },
  ];
}

function Group({ title, exhibits, slug }: { title: string; exhibits: Exhibit[]; slug: string | undefined }) {
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {exhibits.map((exhibit) => (
          <li key={exhibit.slug}>
            <a
              href={`${paths.gallery}/${exhibit.slug}`}
              aria-current={exhibit.slug === slug ? "page" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                go(`${paths.gallery}/${exhibit.slug}`);
              }}
            >
              {exhibit.title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
