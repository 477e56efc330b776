import { useMutation } from '@tanstack/react-query';
import type { CreatedApiKey } from '@tollfree/contract/paymaster';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Facts } from '../../parts/facts.tsx';
import { ShownOnce } from '../../parts/panel.tsx';
import { Value } from '../../parts/value.tsx';
import { rpcUrl } from '../paymasters/rpc-url.ts';
import { type KeySettings, KeySettingsForm } from './key-settings-form.tsx';

/** Creates another apiKey and shows it once. */
export function ApiKeyForm({ onDone }: { readonly onDone: () => void }) {
  const paymaster = usePaymaster();
  const params = { paymasterId: paymaster.paymasterId };
  const create = useMutation({
    gcTime: 0,
    mutationFn: (body: KeySettings) => routes.paymaster.createApiKey({ headers: {}, params, body }),
  });
  if (create.data !== undefined) return <ShownKey created={create.data} onDone={onDone} />;
  return <KeySettingsForm submit="Create API key" action={create} onSubmit={create.mutate} />;
}

type ShownKeyProps = { readonly created: CreatedApiKey; readonly onDone: () => void };

/** A new apiKey to copy: except for the paymaster's own, it is shown only once. */
export function ShownKey({ created: { name, apiKey, isOwn }, onDone }: ShownKeyProps) {
  const url = rpcUrl({ ...usePaymaster(), apiKey });
  return (
    <ShownOnce onDone={onDone}>
      <p>
        <strong>Copy the new API key “{name}” now.</strong>{' '}
        {isOwn ? 'The page Connect shows it from now on.' : 'It is shown only once.'}
      </p>
      <Facts
        facts={[
          ['API key', <Value key="key" text={apiKey} what="new API key" />],
          ['RPC URL', <Value key="url" text={url} what="new RPC URL" />],
        ]}
      />
      <p className="small">
        The RPC URL is the address that your application uses; the code on the page Connect contains it.
      </p>
    </ShownOnce>
  );
}
