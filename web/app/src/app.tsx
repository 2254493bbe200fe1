/** The whole page: which page it is, in which language, once we know who we are. */
import { LocaleProvider, regional } from "@forestage/react";
import { PictureOrigins } from "@forestage/react/its";
import { Suspense, lazy, useEffect } from "react";
import { I18nProvider } from "react-aria-components";
import { ChatPage } from "./pages/chat-page.js";
import { LoginPage, Notice } from "./pages/login-page.js";
import { SharePage } from "./pages/share-page.js";
import { UnknownPage } from "./pages/unknown-page.js";
import { watchSteps } from "./first-steps/watch.js";
import { type Route, useRoute } from "./router.js";
import { applied, useSettings } from "./settings.js";
import { Recover } from "./shell/recover.js";
import { Shell } from "./shell/shell.js";
import { api, enter, useStage, watchThreads } from "./stage.js";
import { useMessages } from "@forestage/react";
import { appWords } from "./words.js";

const InboxPage = lazy(async () => ({ default: (await import("./pages/inbox-page.js")).InboxPage }));
const Gallery = lazy(async () => ({ default: (await import("./gallery/index.js")).Gallery }));
const CoachPage = lazy(async () => ({ default: (await import("./doors/coach-page.js")).CoachPage }));
const TutorPage = lazy(async () => ({ default: (await import("./doors/tutor-page.js")).TutorPage }));
const InspectorPage = lazy(async () => ({ default: (await import("./inspector/page.js")).InspectorPage }));

export function App() {
  const settings = useSettings();
  const route = useRoute();
  useEffect(() => applied(useSettings.getState()), []);
  // React Aria takes the direction from the locale, so one that is written that way stands in for it.
  const locale = settings.direction === "rtl" ? "ar" : regional(settings.locale);
  return (
    <I18nProvider locale={locale}>
      <LocaleProvider locale={settings.locale}>
        <Recover>{route.page === "share" ? <SharePage {...route} key={route.token} /> : <Page route={route} />}</Recover>
      </LocaleProvider>
    </I18nProvider>
  );
}

function Page({ route }: { route: Exclude<Route, { page: "share" }> }) {
  const origins = useStage((stage) => stage.server?.pictureOrigins);
  return (
    <PictureOrigins origins={origins}>
      <Entered route={route} />
    </PictureOrigins>
  );
}

function Entered({ route }: { route: Exclude<Route, { page: "share" }> }) {
  const words = useMessages(appWords);
  useEffect(() => {
    void enter();
    const ends = [watchThreads(), watchSteps()];
    return () => ends.forEach((end) => end());
  }, []);
  const phase = useStage((stage) => stage.phase);
  if (phase === "locked") return <LoginPage />;
  if (phase === "offline") return <Notice title={words.offline} text={words.offlineWhy} busy />;
  if (phase === "loading") return <main className="blank" aria-busy="true" aria-label={words.loading} />;
  switch (route.page) {
    case "home":
    case "thread":
      return <ChatPage route={route} />;
    case "inbox":
      return (
        <Suspense fallback={<Waiting />}>
          <InboxPage route={route} />
        </Suspense>
      );
    case "gallery":
      return (
        <Shell route={route} title={<h1>{words.gallery}</h1>}>
          <Suspense fallback={<Waiting />}>
            <Gallery />
          </Suspense>
        </Shell>
      );
    case "inspector":
      return (
        <Suspense fallback={<Waiting />}>
          <InspectorPage api={api} threadId={route.thread} event={route.event} />
        </Suspense>
      );
    case "coach":
    case "tutor": {
      const Door = route.page === "coach" ? CoachPage : TutorPage;
      return (
        <Suspense fallback={<Waiting />}>
          <Door {...(route.agent !== undefined && { agent: route.agent })} />
        </Suspense>
      );
    }
    case "unknown":
      return <UnknownPage route={route} />;
  }
}

/** What stands where a page is still being loaded. */
function Waiting() {
  const words = useMessages(appWords);
  return <p className="fs-muted">{words.loading}</p>;
}
