import { type PointerEvent, type ReactNode, useState } from 'react';
import { areaPath, linePath, round, scaleTop } from './paths.ts';

type Series = {
  readonly name: string;
  /** `soft`: a second part, next to the first one. */
  readonly kind?: 'bad' | 'soft';
  readonly values: readonly number[];
};

type ChartProps = {
  /** Labels of the x axis, in order. */
  readonly labels: readonly string[];
  /** Bars are stacked; an area chart has one series. */
  readonly series: readonly Series[];
  readonly shape: 'area' | 'bars';
  /** The period before, as a dashed line. */
  readonly before?: Series;
  /** Formats a value of the scale and of the tooltip. */
  readonly format: (value: number) => string;
};

/** Numbers by day or hour. An adjacent table has the same data, so screen readers skip the chart. */
export function Chart({ labels, series, shape, before, format }: ChartProps) {
  const [shown, setShown] = useState<number>();
  const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const end = scaleTop(Math.max(0, ...sums, ...(before?.values ?? [])));
  // Half of a scale of counts is a count too.
  const top = sums.every(Number.isInteger) ? Math.ceil(end / 2) * 2 : end;
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const share = Math.min(0.999, Math.max(0, (clientX - left) / width));
    setShown(shape === 'bars' ? Math.floor(share * labels.length) : Math.round(share * (labels.length - 1)));
  };
  return (
    <div aria-hidden="true" className="stack">
      <div className="chart">
        <div className="chart-scale">
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{format(value)}</span>
          ))}
        </div>
        <div className="chart-area" onPointerMove={follow} onPointerLeave={() => setShown(undefined)}>
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="presentation">
            {shape === 'area' ? (
              <Area values={series[0]?.values ?? []} top={top} />
            ) : (
              <Bars series={series} count={labels.length} top={top} />
            )}
            {before === undefined ? null : <path className="line before" d={linePath(before.values, top)} />}
          </svg>
          {shown === undefined ? null : (
            <Tip at={shape === 'bars' ? (shown + 0.5) / labels.length : shown / Math.max(1, labels.length - 1)}>
              <strong>{labels[shown]}</strong>
              {[...series, ...(before === undefined ? [] : [before])].map(({ name, values }) => (
                <div key={name}>
                  {name}: {format(values[shown] ?? 0)}
                </div>
              ))}
            </Tip>
          )}
        </div>
        <div className="chart-days">
          {[...new Set([0, Math.floor((labels.length - 1) / 2), labels.length - 1])].map((index) => (
            <span key={index}>{labels[index]}</span>
          ))}
        </div>
      </div>
      {series.length < 2 && before === undefined ? null : (
        <p className="legend">
          {series.map(({ name, kind }) => (
            <span key={name} className={kind}>
              {name}
            </span>
          ))}
          {before === undefined ? null : <span className="before">{before.name}</span>}
        </p>
      )}
    </div>
  );
}

function Area({ values, top }: { readonly values: readonly number[]; readonly top: number }) {
  return (
    <>
      <path className="area" d={areaPath(values, top)} />
      <path className="line" d={linePath(values, top)} />
    </>
  );
}

function Bars({ series, count, top }: Pick<ChartProps, 'series'> & { readonly count: number; readonly top: number }) {
  const step = 100 / count;
  const width = Math.min(step * 0.72, 4);
  return Array.from({ length: count }, (_, index) => {
    let base = 100;
    return series.map(({ name, kind, values }) => {
      const height = ((values[index] ?? 0) / top) * 100;
      base -= height;
      const bounds = {
        x: round(index * step + (step - width) / 2),
        y: round(base),
        width: round(width),
        height: round(height),
      };
      // biome-ignore lint/suspicious/noArrayIndexKey: bars have no other name than their place
      return <rect key={`${name} ${index}`} className={kind === undefined ? 'bar' : `bar ${kind}`} {...bounds} />;
    });
  });
}

function Tip({ at, children }: { readonly at: number; readonly children: ReactNode }) {
  const left = `${at * 100}%`;
  return (
    <>
      <span className="chart-mark" style={{ left }} />
      <div className={at > 0.6 ? 'chart-tip left' : 'chart-tip'} style={{ left }}>
        {children}
      </div>
    </>
  );
}

/** A small chart without scales. The number next to it is the accessible content. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return null;
  const most = Math.max(...values);
  return (
    <svg className="spark" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path className="area" d={areaPath(values, most)} />
      <path className="line" d={linePath(values, most)} />
    </svg>
  );
}
