/** The dialog with links to a conversation, loaded when somebody opens it. */
import { type ComponentProps, Suspense, lazy } from "react";

const Dialog = lazy(async () => ({ default: (await import("./share-dialog.js")).ShareDialog }));

export function ShareDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}
