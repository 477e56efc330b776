import { useEffect, useState } from 'react';
import { exactMomentText, locale, momentText } from './text/moment-text.ts';

/** A time in Unix seconds, in the reader's time zone. */
export function Moment({ at, hasSeconds = false }: { readonly at: number; readonly hasSeconds?: boolean }) {
  const date = new Date(at * 1_000);
  return <time dateTime={date.toISOString()}>{hasSeconds ? exactMomentText(at) : momentText(at)}</time>;
}

const steps = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [Number.POSITIVE_INFINITY, 'day'],
] as const;
const sizes = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'narrow' });

/** The age of a time in Unix seconds; its title has the exact time. */
export function Age({ at }: { readonly at: number }) {
  const [now, setNow] = useState(() => Date.now() / 1_000);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now() / 1_000), 10_000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - at);
  const unit = steps.find(([below]) => seconds < below)?.[1] ?? 'day';
  const date = new Date(at * 1_000);
  return (
    <time dateTime={date.toISOString()} title={exactMomentText(at)}>
      {seconds < 5 ? 'now' : relative.format(-Math.floor(seconds / sizes[unit]), unit)}
    </time>
  );
}
