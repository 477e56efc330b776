import type { ApiKeyRulesItem } from '@tollfree/contract/api-key-rules';
import type { ApiKeyItem } from '@tollfree/contract/paymaster';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Badge } from '../../parts/badge.tsx';
import { Age, Moment } from '../../parts/moment.tsx';
import { RecentUse, useRecentUse } from '../../parts/recent-use.tsx';
import { amountOfCoin } from '../../parts/text/chain-name.ts';
import { counted } from '../../parts/text/counted.ts';
import { coinText, usdText } from '../../parts/text/usd-text.ts';
import { withinWindow } from '../policy/field-names.ts';

/** The restrictions of an apiKey, in sentences; none for an unrestricted one. */
function describeKeyRules(
  { origins, networks, methods, rate, limits }: ApiKeyRulesItem,
  chainId: number,
): readonly string[] {
  return [
    ...(origins.length === 0 ? [] : [`In browsers, only pages of ${origins.join(', ')} can use it.`]),
    ...(networks.length === 0 ? [] : [`Can be used only from ${networks.join(', ')}.`]),
    ...(methods.length === 0 ? [] : [`Only ${methods.join(', ')} may be called.`]),
    ...(rate === undefined ? [] : [`At most ${counted(rate.perSecond, 'request')} per second, burst ${rate.burst}.`]),
    ...limits.map(({ window, unit, max }) => {
      const usdOrCount = unit === 'USD' ? usdText(max) : counted(Number(max), 'operation');
      const amount = unit === 'WEI' ? amountOfCoin(coinText(max), chainId) : usdOrCount;
      return `At most ${amount} ${withinWindow[window]} can be sponsored.`;
    }),
  ];
}

/** An apiKey's name, last characters, state, use and restrictions. */
export function ApiKeyFacts({ apiKey }: { readonly apiKey: ApiKeyItem }) {
  const { apiKeyId, name, lastFour, isOwn, createdAt, lastUsedAt, expiresAt, rules } = apiKey;
  const use = useRecentUse('apiKey');
  const sentences = describeKeyRules(rules, usePaymaster().chainId);
  return (
    <div>
      <h3>{name}</h3>
      <p>
        <code className="small">
          <span className="only-read">Ends with </span>
          <span aria-hidden="true">••••</span>
          {lastFour}
        </code>{' '}
        <State apiKey={apiKey} /> {isOwn && expiresAt === undefined ? <Badge>Primary</Badge> : null}
      </p>
      {/* Usage is counted for a key, not for each apiKey that it replaced. */}
      {expiresAt === undefined ? <RecentUse use={use} of={apiKeyId} /> : null}
      <p className="small muted">
        Created <Moment at={createdAt} />, {lastUsedAt === undefined ? 'never used' : 'last used '}
        {lastUsedAt === undefined ? null : <Age at={lastUsedAt} />}
        {expiresAt === undefined ? null : (
          <>
            , accepted until <Moment at={expiresAt} />
          </>
        )}
      </p>
      {expiresAt !== undefined || sentences.length === 0 ? null : (
        <ul className="sentences">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function State({ apiKey: { disabled, expiresAt } }: { readonly apiKey: ApiKeyItem }) {
  if (disabled) return <Badge kind="warn">Disabled</Badge>;
  return expiresAt === undefined ? <Badge kind="good">Active</Badge> : <Badge kind="warn">Replaced</Badge>;
}
