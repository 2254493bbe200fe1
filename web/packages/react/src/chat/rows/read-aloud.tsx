/** Reads an answer aloud, by the voice of this machine. */
import { useEffect, useState } from "react";
import { useLocale, useMessages } from "../../i18n/index.js";
import { IconButton } from "../../ui/index.js";
import { words } from "../words.js";

export function ReadAloud({ text }: { text: string }) {
  const messages = useMessages(words);
  const locale = useLocale();
  const [reading, setReading] = useState(false);
  useEffect(() => () => (reading ? speechSynthesis.cancel() : undefined), [reading]);
  if (typeof speechSynthesis === "undefined") return null;
  const press = () => {
    speechSynthesis.cancel();
    if (reading) return setReading(false);
    const speech = new SpeechSynthesisUtterance(text.replaceAll(/[*_`#>]/g, ""));
    speech.lang = locale;
    speech.onend = () => setReading(false);
    speech.onerror = () => setReading(false);
    setReading(true);
    speechSynthesis.speak(speech);
  };
  return <IconButton size="sm" icon={reading ? "stop" : "speak"} label={reading ? messages.stopReading : messages.readAloud} onPress={press} />;
}
