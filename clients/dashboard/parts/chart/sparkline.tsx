import { areaPath, linePath } from './paths.ts';

/** A course of numbers without scales. It says nothing that the number next to it does not say better. */
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
