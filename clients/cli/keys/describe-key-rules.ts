import type { ApiKeyRulesItem } from '@tollfree/contract/api-key-rules';

/** What a key is bound to, a line for each kind; none for one that is bound to nothing. */
export function describeKeyRules({ origins, networks, methods, rate, limits }: ApiKeyRulesItem): readonly string[] {
  const list = (what: string, items: readonly string[]) => (items.length === 0 ? [] : [`${what} ${items.join(', ')}`]);
  return [
    ...list('origins', origins),
    ...list('networks', networks),
    ...list('methods', methods),
    ...(rate === undefined ? [] : [`${rate.perSecond} requests per second, burst ${rate.burst}`]),
    ...limits.map(({ window, unit, max }) => `at most ${max} ${unit} in ${window}`),
  ];
}
