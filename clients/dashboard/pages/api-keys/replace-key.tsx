import { useMutation } from '@tanstack/react-query';
import type { ApiKeyItem, CreatedApiKey } from '@tollfree/contract/paymaster';
import { useState } from 'react';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Problem } from '../../parts/problem.tsx';

const graces = [
  { value: '0', text: 'Refused immediately' },
  { value: '3600', text: 'Accepted for an hour' },
  { value: '86400', text: 'Accepted for a day' },
  { value: '604800', text: 'Accepted for 7 days' },
  { value: '2592000', text: 'Accepted for 30 days' },
] as const;
type Grace = (typeof graces)[number]['value'];

type ReplaceKeyProps = {
  readonly apiKey: ApiKeyItem;
  /** Receives the new key, which is shown only once. */
  readonly onReplaced: (created: CreatedApiKey) => void;
};

/** Replaces an apiKey; the old one can stay valid for a while. */
export function ReplaceKey({ apiKey: { apiKeyId, name }, onReplaced }: ReplaceKeyProps) {
  const paymaster = usePaymaster();
  const [grace, setGrace] = useState<Grace>('86400');
  const params = { paymasterId: paymaster.paymasterId };
  const replace = useMutation({
    gcTime: 0,
    mutationFn: () =>
      routes.paymaster.rotateApiKey({ headers: {}, params, body: { apiKeyId, graceSeconds: Number(grace) } }),
    onSuccess: onReplaced,
  });
  return (
    <>
      <ConfirmButton
        text="Replace"
        needs={['manage']}
        label={`Replace ${name}`}
        title={`Replace the API key “${name}”?`}
        confirm="Replace API key"
        isPending={replace.isPending}
        onConfirm={() => replace.mutate()}
      >
        <div className="stack">
          <p>Creates a new API key with the same name and rules. Do this if the key has leaked.</p>
          <Choice
            label="The current API key is then"
            hint="Give your applications the new one before the old one is refused."
            value={grace}
            options={graces}
            onChange={setGrace}
          />
        </div>
      </ConfirmButton>
      <Problem error={replace.error} />
    </>
  );
}
