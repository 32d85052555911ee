import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { onNextFrame } from '../on-next-frame.js';

/** How near to the end counts as "at the bottom": about one line. */
const NEAR_PX = 32;

export type StickToBottom = {
  /** The box that scrolls. */
  box: RefObject<HTMLDivElement | null>;
  /** What grows inside it. */
  content: RefObject<HTMLDivElement | null>;
  isAtBottom: boolean;
  scrollToBottom: () => void;
  /** The same with the next frame: where something was just drawn, a scroll at once would lay it out twice. Returns what calls it off. */
  scrollToBottomSoon: () => () => void;
};

/** What asks the person something. One that is taller than the box is shown from its top. */
const ASKING = '.plinth-slot, .plinth-card--ask';

/**
 * Follows growing content only while the reader is at its end. Who scrolled up to read stays where they
 * are, however much streams in below.
 */
export function useStickToBottom(): StickToBottom {
  const box = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const [isAtBottom, setIsAtBottom] = useState(true);

  const scrollToBottom = useCallback(() => {
    following.current = true;
    setIsAtBottom(true);
    if (box.current !== null) box.current.scrollTop = endOf(box.current);
  }, []);

  const scrollToBottomSoon = useCallback(() => {
    following.current = true;
    return onNextFrame(scrollToBottom);
  }, [scrollToBottom]);

  useEffect(() => {
    const scrolled = box.current;
    const grown = content.current;
    if (scrolled === null || grown === null || typeof ResizeObserver === 'undefined') return;
    let lastTop = scrolled.scrollTop;
    const onScroll = () => {
      // Content that shrinks or grows scrolls too; only moving up away from the end is a wish to read.
      if (scrolled.scrollTop >= endOf(scrolled) - NEAR_PX) following.current = true;
      else if (scrolled.scrollTop < lastTop) following.current = false;
      lastTop = scrolled.scrollTop;
      setIsAtBottom(following.current);
    };
    const onResize = () => {
      if (following.current) scrolled.scrollTop = Math.max(scrolled.scrollTop, endOf(scrolled));
    };
    const observer = new ResizeObserver(onResize);
    observer.observe(grown);
    observer.observe(scrolled);
    scrolled.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      scrolled.removeEventListener('scroll', onScroll);
    };
  }, []);

  return { box, content, isAtBottom, scrollToBottom, scrollToBottomSoon };
}

/** Where the end of the conversation is in sight: the bottom, or the top of a question that fills the box. */
function endOf(box: HTMLElement): number {
  const bottom = box.scrollHeight - box.clientHeight;
  const asking = [...box.querySelectorAll(ASKING)].at(-1);
  if (asking === undefined) return bottom;
  const top = asking.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  return Math.min(bottom, Math.max(0, top - NEAR_PX));
}
