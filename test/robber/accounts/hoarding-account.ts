import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import { encodeAccountCalls } from '../../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { compiledContract } from '../compiled-contract.ts';
import type { AccountKind } from './robber-account.ts';

/** A contract of the attacker's that ignores its call data, where the policy takes any account. */
export function hoardingKind(version: EntryPointVersion): AccountKind {
  return {
    name: 'own code',
    version,
    isKnown: true,
    info: { name: 'INFINITISM', version: '1.0.0' },
    placeholder: dummySignature,
    open: async (world) => ({
      sender: await world.deploy(compiledContract('HoardingAccount')),
      initCode: '0x',
      encode: (calls) => encodeAccountCalls(version, calls),
      sign: async () => dummySignature,
    }),
  };
}
