/** The whole page: which page it is, and the frame around it. */
import { useRoute } from "./router.js";

export function App() {
  const route = useRoute();
  return <main>{route.page}</main>;
}
