import { honestAsking, honestPlan, type Plan } from './plan.ts';

/** How a plan differs from the honest one, in words. */
export function describePlan(plan: Plan): string {
  const { before, ...rest } = plan;
  const earlier = before.flatMap((asking, index) => {
    const asked = findDifferences(`request ${index + 1}`, honestAsking, asking);
    return asked.length === 0 ? [`request ${index + 1}: an honest one`] : asked;
  });
  const differences = [...earlier, ...findDifferences('', honestPlan, rest)];
  return differences.length === 0 ? 'nothing' : differences.join('; ');
}

function findDifferences(path: string, honest: unknown, value: unknown): readonly string[] {
  if (JSON.stringify(honest) === JSON.stringify(value)) return [];
  if (isPadding(value)) return value.bytes === 0 ? [] : [`${path}: ${value.bytes} bytes of ${value.fill}`];
  if (isChange(value)) {
    const isSame = value.percent === 100 && value.add === 0;
    return isSame ? [] : [`${path}: ${value.percent} % of the estimate and ${value.add} gas`];
  }
  if (typeof value !== 'object' || value === null) return [`${path}: ${String(value)}`];
  const known: object = typeof honest === 'object' && honest !== null ? honest : {};
  const differences = Object.entries(value).flatMap(([field, own]) =>
    findDifferences(path === '' ? field : `${path} ${field}`, Reflect.get(known, field), own),
  );
  return differences.length === 0 && path.endsWith('given') ? [`${path}: as estimated`] : differences;
}

function isPadding(value: unknown): value is { readonly bytes: number; readonly fill: string } {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'fill' in value;
}

function isChange(value: unknown): value is { readonly percent: number; readonly add: number } {
  return typeof value === 'object' && value !== null && 'percent' in value && 'add' in value;
}
