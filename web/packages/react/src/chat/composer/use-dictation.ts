/**
 * Speech as text, by browsers that understand it on the device. Others send what they hear to whoever made them, so they
 * are not asked: there is nothing to press then.
 */
import { useCallback, useEffect, useRef, useState } from "react";

/** What browsers call it; it is not in every browser, and not in what TypeScript knows of them. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  processLocally: boolean;
  onresult: ((event: { resultIndex: number; results: ArrayLike<{ isFinal: boolean; 0: { transcript: string } }> }) => void) | null;
  onend: (() => void) | null;
  start: () => void;
  stop: () => void;
}

interface Recogniser {
  new (): Recognition;
  available?: (options: { langs: string[]; processLocally: boolean }) => Promise<string>;
}

function recogniser(): Recogniser | undefined {
  return (globalThis as { SpeechRecognition?: Recogniser }).SpeechRecognition;
}

export interface Dictation {
  isListening: boolean;
  toggle: () => void;
}

/** Where it is allowed and this browser can do it by itself; nothing otherwise. What is heard is told sentence by sentence. */
export function useDictation(isAllowed: boolean, language: string, onHeard: (text: string) => void): Dictation | undefined {
  const [isThere, setThere] = useState(false);
  const [isListening, setListening] = useState(false);
  const current = useRef<Recognition>(undefined);
  const heard = useRef(onHeard);
  heard.current = onHeard;

  useEffect(() => {
    let isCurrent = true;
    const asked = isAllowed ? recogniser()?.available?.({ langs: [language], processLocally: true }) : undefined;
    asked?.then(
      (answer) => isCurrent && setThere(answer === "available"),
      () => isCurrent && setThere(false),
    );
    return () => {
      isCurrent = false;
      setThere(false);
      current.current?.stop();
    };
  }, [isAllowed, language]);

  const toggle = useCallback(() => {
    const Recognise = recogniser();
    if (current.current !== undefined) return current.current.stop();
    if (Recognise === undefined) return;
    const recognition = new Recognise();
    Object.assign(recognition, { lang: language, continuous: true, interimResults: false, processLocally: true });
    recognition.onresult = ({ resultIndex, results }) => {
      const fresh = Array.from(results).slice(resultIndex).filter(({ isFinal }) => isFinal);
      if (fresh.length > 0) heard.current(fresh.map((result) => result[0].transcript.trim()).join(" "));
    };
    recognition.onend = () => {
      current.current = undefined;
      setListening(false);
    };
    current.current = recognition;
    setListening(true);
    recognition.start();
  }, [language]);

  return isThere ? { isListening, toggle } : undefined;
}
