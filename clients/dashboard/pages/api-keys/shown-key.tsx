import type { CreatedApiKey } from '@tollfree/contract/paymaster';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Value } from '../../parts/value.tsx';
import { usePaymaster } from '../../shell/use-paymaster.ts';
import { rpcUrl } from '../paymasters/rpc-url.ts';

type ShownKeyProps = { readonly created: CreatedApiKey; readonly onDone: () => void };

/** A new apiKey to copy: except for the paymaster's own, it is shown only once. */
export function ShownKey({ created: { name, apiKey, isOwn }, onDone }: ShownKeyProps) {
  const url = rpcUrl({ ...usePaymaster(), apiKey });
  return (
    <Notice kind="good">
      <p>
        <strong>Copy the new apiKey “{name}” now.</strong>{' '}
        {isOwn ? 'The page Connect shows it from now on.' : 'It is shown only once.'}
      </p>
      <Facts
        facts={[
          ['apiKey', <Value key="key" text={apiKey} what="new apiKey" />],
          ['RPC URL', <Value key="url" text={url} what="new RPC URL" />],
        ]}
      />
      <p className="small">
        The RPC URL is the address that your application uses; the code on the page Connect contains it.
      </p>
      <Button onPress={onDone}>I have copied it</Button>
    </Notice>
  );
}
