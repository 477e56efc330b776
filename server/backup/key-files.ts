import type { Config } from '../config/config-schema.ts';
import type { KeySection } from '../config/signer-schema.ts';

/** The files without which a copy of the database is of no use: master keys, and what the chains sign with. */
export function keyFiles({ masterKeyFile, previousMasterKeyFiles, chains = [] }: Config): readonly string[] {
  const signers = chains.flatMap((chain) => chain.signers ?? chain.signer ?? []);
  const places = signers.flatMap(({ standIns = [], ...signer }) => [signer, ...standIns]);
  const files = [masterKeyFile, ...previousMasterKeyFiles, ...places.flatMap(filesOf)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** Of a key that is elsewhere, what this service is let in with. */
function filesOf({ keystoreFile, passwordFile, ethSign }: KeySection): readonly (string | undefined)[] {
  return [keystoreFile, passwordFile, ethSign?.tokenFile, ethSign?.caFile];
}
