import { toSafeSmartAccount } from 'permissionless/accounts';
import { chainClient } from '../../service/client-lab.ts';
import type { MatrixAccount } from '../matrix-accounts.ts';
import { copyPublishedCode } from './copy-published-code.ts';
import { entryPointOf, newOwner } from './published-account.ts';

/** Safe's module 0.2.0 for EntryPoint 0.6 and its setup, then Safe 1.4.1, its factory and its MultiSend. */
const contracts = [
  '0xa581c4A4DB7175302464fF3C06380BC3270b4037',
  '0x8EcD4ec46D4D2a6B64fE960B3D64e8B94B2234eb',
  '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
] as const;

/** A Safe on EntryPoint 0.6 that so many owners sign for, with code from a node of a public chain. */
export function safe06Of(count: number, nodeUrl: string): MatrixAccount {
  return {
    kind: `Safe 1.4.1 of ${count} owners`,
    version: '0.6',
    code: 'a public chain',
    open: async (devnet) => {
      await copyPublishedCode(devnet, nodeUrl, { kinds: [], others: contracts });
      const account = await toSafeSmartAccount({
        client: chainClient(devnet),
        owners: Array.from({ length: count }, newOwner),
        version: '1.4.1',
        entryPoint: entryPointOf(devnet, '0.6'),
      });
      return { account };
    },
  };
}
