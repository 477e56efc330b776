import { areaPath, linePath } from './paths.ts';

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
