import { type Calendar, daysOf, type Preset, type TimeRange } from '../time/time-range.ts';
import { Segments } from './segments.tsx';
import { DayInput } from './time-input.tsx';

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
