import { useEffect, useState } from 'react';
import { type Calendar, daysOf, isDay, type Preset, type TimeRange } from '../time/time-range.ts';
import { Segments } from './segments.tsx';
import { fullDayText } from './text/days.ts';
import { TextInput } from './text-input.tsx';

const texts = { '1h': '1 h', '24h': '24 h', '7d': '7 d', '30d': '30 d', '90d': '90 d' } as const;

type RangeFieldProps = {
  readonly presets: readonly Preset[];
  readonly time: TimeRange;
  /** Shown if the URL has no range. */
  readonly usual: Preset | 'all';
  /** Of the days of a custom range. */
  readonly calendar: Calendar;
  readonly onChange: (time: TimeRange) => void;
};

/** A time range: up to now, from one day to another, or all of time. */
export function RangeField({ presets, time, usual, calendar, onChange }: RangeFieldProps) {
  const { range = usual } = time;
  const days = daysOf(time, calendar);
  const note = calendar === 'UTC' ? ', UTC' : '';
  const options: { value: Preset | 'all' | 'custom'; text: string }[] = [
    ...presets.map((value) => ({ value, text: texts[value] })),
    ...(usual === 'all' ? [{ value: usual, text: 'All' }] : []),
    { value: 'custom', text: 'Custom' },
  ];
  const choose = (next: Preset | 'all' | 'custom') => {
    if (next === 'custom') onChange({ range: next, ...days });
    else onChange({ range: next === 'all' ? undefined : next });
  };
  return (
    <div className="form-row range">
      <Segments label="Time" value={range} options={options} onChange={choose} />
      {range === 'custom' ? (
        <div className="actions">
          <DayInput label={`From${note}`} day={days.from} onDay={(from) => onChange({ range, ...days, from })} />
          <DayInput label={`Until${note}`} day={days.until} onDay={(until) => onChange({ range, ...days, until })} />
        </div>
      ) : null}
    </div>
  );
}

type DayInputProps = { readonly label: string; readonly day: string; readonly onDay: (day: string) => void };

/** While a year is typed, the browser reports days of the first centuries; those are not passed on. */
const firstDay = '1970-01-01';

function DayInput({ label, day, onDay }: DayInputProps) {
  const [text, setText] = useState(day);
  useEffect(() => setText(day), [day]);
  const change = (next: string) => {
    setText(next);
    if (isDay(next) && next >= firstDay) onDay(next);
  };
  // The browser writes days in the order of its own language: 3/4 may be in March or in April.
  return <TextInput label={label} type="date" hint={fullDayText(day)} value={text} onChange={change} />;
}
