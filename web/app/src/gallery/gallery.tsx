/** The gallery: every component and surface with its arguments to play with, and every agent one click away. */
import { useMessages } from "@forestage/react/i18n";
import { go, paths, useRoute } from "../router.js";
import { ComponentStage } from "./component-stage.js";
import { components } from "./items.js";
import { words } from "./words.js";
import "./gallery.css";

export function Gallery() {
  const text = useMessages(words);
  const route = useRoute();
  const slug = route.page === "gallery" ? (route.item ?? components[0]?.slug) : undefined;
  const item = components.find((one) => one.slug === slug);
  return (
    <div className="gallery">
      <nav className="gallery-nav" aria-label={text.gallery}>
        <h1>{text.gallery}</h1>
        <p>{text.intro}</p>
        <Group title={text.components} items={components} slug={slug} />
      </nav>
      <section className="gallery-main" aria-label={item?.title ?? text.gallery}>
        {item === undefined ? (
          <p>{text.unknown}</p>
        ) : (
          <>
            <h2>{item.title}</h2>
            <p className="gallery-about">
              {item.about} <code>{item.name}</code>
            </p>
            <ComponentStage key={item.slug} item={item} />
          </>
        )}
      </section>
    </div>
  );
}

function Group({ title, items, slug }: { title: string; items: { slug: string; title: string }[]; slug: string | undefined }) {
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {items.map((item) => (
          <li key={item.slug}>
            <a
              href={`${paths.gallery}/${item.slug}`}
              aria-current={item.slug === slug ? "page" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                go(`${paths.gallery}/${item.slug}`);
              }}
            >
              {item.title}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
