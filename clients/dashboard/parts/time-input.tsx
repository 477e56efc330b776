import { useEffect, useRef, useState } from 'react';
import { isDay } from '../time/time-range.ts';
import { Icon } from './icon.tsx';
import { fullDayText } from './text/days.ts';
import { momentText } from './text/moment-text.ts';
import { TextInput } from './text-input.tsx';

/** While a year is typed, there are days of the first centuries; those are not passed on. */
const firstDay = '1970-01-01';

type DayInputProps = { readonly label: string; readonly day: string; readonly onDay: (day: string) => void };

/** A day, `YYYY-MM-DD`. What is no day is not passed on. */
export function DayInput({ label, day, onDay }: DayInputProps) {
  return (
    <TimeInput
      label={label}
      kind="date"
      text={day}
      hint={fullDayText(day)}
      example="2026-11-28"
      isValid={(text) => isDay(text) && text >= firstDay}
      onText={onDay}
    />
  );
}

type MomentInputProps = {
  readonly label: string;
  /** Unix seconds; undefined for none. */
  readonly at: number | undefined;
  readonly onAt: (at: number | undefined) => void;
};

/** A time in the reader's time zone. What is no time is not passed on; an empty field is none. */
export function MomentInput({ label, at, onAt }: MomentInputProps) {
  return (
    <TimeInput
      label={label}
      kind="datetime-local"
      text={at === undefined ? '' : localText(at)}
      hint={at === undefined ? 'In your time zone.' : `${momentText(at)} in your time zone`}
      example="2026-11-28 14:00"
      isValid={(text) => text === '' || secondsOf(text) !== undefined}
      onText={(text) => onAt(secondsOf(text))}
    />
  );
}

type TimeInputProps = {
  readonly label: string;
  readonly kind: 'date' | 'datetime-local';
  /** As it is typed. */
  readonly text: string;
  readonly hint: string;
  readonly example: string;
  readonly isValid: (text: string) => boolean;
  readonly onText: (text: string) => void;
};

/**
 * A field for a time, and the browser's calendar to choose it from. The browser's own field would write 3/4 for a day in March or in
 * April, by the language of the browser instead of the page's.
 */
function TimeInput({ label, kind, text, hint, example, isValid, onText }: TimeInputProps) {
  const [typed, setTyped] = useState(text);
  const calendar = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(text), [text]);
  const change = (next: string) => {
    setTyped(next);
    if (isValid(next)) onText(next);
  };
  return (
    <TextInput
      label={label}
      value={typed}
      placeholder={example}
      hint={hint}
      check={(next) => (isValid(next) ? undefined : `Write it like ${example}.`)}
      onChange={change}
      after={
        <>
          <button
            type="button"
            className="calendar-button"
            aria-label={`${label}: choose`}
            onClick={() => calendar.current?.showPicker()}
          >
            <Icon name="calendar" />
          </button>
          <input
            ref={calendar}
            type={kind}
            className="calendar"
            aria-hidden="true"
            tabIndex={-1}
            value={typed.replace(' ', 'T')}
            onChange={({ target }) => change(target.value.replace('T', ' '))}
          />
        </>
      }
    />
  );
}

/** A time in Unix seconds as `2026-11-28 14:00`, in the reader's time zone. */
function localText(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** The Unix seconds of a day, or of a day with its time, in the reader's time zone. */
function secondsOf(text: string): number | undefined {
  const [, day = '', clock = '00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T]((?:[01]\d|2[0-3]):[0-5]\d))?$/.exec(text.trim()) ?? [];
  if (!isDay(day) || day < firstDay) return undefined;
  return new Date(`${day}T${clock}`).getTime() / 1_000;
}
