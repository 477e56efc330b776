import { Segments } from './segments.tsx';
import { type Network, networkTitles } from './text/chain-name.ts';
import { setNetwork } from './use-network.ts';

const options = (['main', 'test'] as const).map((value) => ({ value, text: networkTitles[value] }));

/** Switches the dashboard between main and test networks. */
export function NetworkSwitch({ network }: { readonly network: Network }) {
  return <Segments label="Networks" value={network} options={options} onChange={setNetwork} />;
}
