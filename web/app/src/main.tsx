import { createRoot } from "react-dom/client";
import "@forestage/react/ui/tokens.css";
import "./shell/shell.css";
import { App } from "./app.js";
import { applied, useSettings } from "./settings.js";

// Before anything is drawn, so that nobody in the dark sees a white page first.
applied(useSettings.getState());

const root = document.getElementById("root");
if (root !== null) createRoot(root).render(<App />);
