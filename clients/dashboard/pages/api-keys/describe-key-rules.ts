import type { ApiKeyRulesItem } from '@tollfree/contract/api-key-rules';
import { withinWindow } from '../policy/within-window.ts';

const units = { OPERATIONS: 'operations', WEI: 'wei of cost', USD: 'USD of cost' } as const;

/** What an apiKey is bound to, in sentences; none where it is bound to nothing. */
export function describeKeyRules({ origins, networks, methods, rate, limits }: ApiKeyRulesItem): readonly string[] {
  return [
    ...(origins.length === 0 ? [] : [`In browsers, only pages of ${origins.join(', ')} can use it.`]),
    ...(networks.length === 0 ? [] : [`Can be used only from ${networks.join(', ')}.`]),
    ...(methods.length === 0 ? [] : [`Only ${methods.join(', ')} may be called.`]),
    ...(rate === undefined ? [] : [`${rate.perSecond} requests per second are answered, burst ${rate.burst}.`]),
    ...limits.map(({ window, unit, max }) => {
      return `At most ${max} ${units[unit]} ${withinWindow[window]} are sponsored.`;
    }),
  ];
}
