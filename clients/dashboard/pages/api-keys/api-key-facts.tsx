import type { ApiKeyItem } from '@tollfree/contract/paymaster';
import { Badge } from '../../parts/badge.tsx';
import { Moment } from '../../parts/moment.tsx';
import { describeKeyRules } from './describe-key-rules.ts';

/** What an apiKey is called, how it stands, and what it is bound to. */
export function ApiKeyFacts({ apiKey }: { readonly apiKey: ApiKeyItem }) {
  const { name, isOwn, createdAt, lastUsedAt, expiresAt, rules } = apiKey;
  const sentences = describeKeyRules(rules);
  return (
    <div>
      <h3>{name}</h3>
      <p>
        <State apiKey={apiKey} /> {isOwn && expiresAt === undefined ? <Badge>Primary</Badge> : null}
      </p>
      <p className="small muted">
        created <Moment at={createdAt} />, {lastUsedAt === undefined ? 'never used' : 'last used '}
        {lastUsedAt === undefined ? null : <Moment at={lastUsedAt} />}
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
