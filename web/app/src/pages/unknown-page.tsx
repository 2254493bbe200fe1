/** An address that means nothing, or nothing to us. */
import { Button, useMessages } from "@forestage/react";
import { chatWords } from "@forestage/react/chat";
import { type Route, go, paths } from "../router.js";
import { Shell } from "../shell/shell.js";
import { appWords } from "../words.js";

export function UnknownPage({ route }: { route: Route }) {
  const words = useMessages(appWords);
  const { missing, missingWhy } = useMessages(chatWords);
  const isThread = route.page === "thread";
  return (
    <Shell route={route} title={<h1>{isThread ? missing : words.notFound}</h1>}>
      <div className="fs-welcome">
        {isThread && <p>{missingWhy}</p>}
        <Button kind="primary" onPress={() => go(paths.home)}>
          {words.home}
        </Button>
      </div>
    </Shell>
  );
}
