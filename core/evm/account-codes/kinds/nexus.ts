import type { Hex } from 'viem';
import type { AccountCodeKind } from '../known-code.ts';

/** `hook` in `erc7201:biconomy.storage.Nexus`, which has validators, executors and fallbacks before it. */
export const nexusHookSlot: Hex = '0x0bb70095b32b9671358306b0339b4c06e7cbd8cb82505941fba30d1eb5b82f03';

/**
 * Nexus, where CREATE2 puts it; proxies and EOAs (EIP-7702) delegate to it. Validators and hooks of the owner's choice run
 * next to the calls. Its factories call what their data names, so that none of them is known.
 */
export const nexus: AccountCodeKind = {
  name: 'Nexus 1',
  runsModules: true,
  hook: { slot: nexusHookSlot },
  decoders: [
    { name: 'NEXUS', version: '1.0.0' },
    { name: 'BICONOMY', version: '2.0.0' },
  ],
  implementations: [
    { address: '0x000000aC74357BFEa72BBD0781833631F732cf19' },
    { address: '0x000000001964d23C59962Fc7A912872EE8fB3b6A' },
    { address: '0x000000004F43C49e93C970E84001853a70923B03' },
    { address: '0x00000000383e8cBe298514674Ea60Ee1d1de50ac' },
    { address: '0x0000000020fe2F30453074aD916eDeB653eC7E9D' },
  ],
};
