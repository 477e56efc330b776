import type { NamedPolicyItem } from '@tollfree/contract/named-policy';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/problem.tsx';
import { OpenBadge } from './open-badge.tsx';
import { useReplacePolicy } from './use-replace-policy.ts';

/** Opens a named policy to requests, and closes it. */
export function OpenPolicy({ policy }: { readonly policy: NamedPolicyItem }) {
  const { enabled, policy: rules } = policy;
  const replace = useReplacePolicy(policy);
  const who = rules.requireTicket ? 'any caller with a valid ticket' : 'any caller who knows this paymaster’s URL';
  return (
    <div className="stack">
      <p>
        <OpenBadge isOpen={enabled} />
      </p>
      <p>
        {enabled
          ? `By its id, ${who} can choose it.`
          : 'Requests that choose it are refused. The default policy is not used instead.'}
      </p>
      <div className="actions">
        <Button
          needs={['manage']}
          kind={enabled ? 'plain' : 'primary'}
          isPending={replace.isPending}
          onPress={() => replace.mutate({ enabled: !enabled })}
        >
          {enabled ? 'Close it' : 'Open it'}
        </Button>
      </div>
      <Problem error={replace.error} />
    </div>
  );
}
