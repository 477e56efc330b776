import { omitAbsent } from '@tollfree/contract/omit-absent';
import { askPassword } from '../../clients/cli/terminal/ask-password.ts';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { readNamedFile, readPassword } from '../../clients/cli/terminal/read-file.ts';
import { Secret } from '../../core/base/values/secret.ts';
import type {
  EthSignConfig,
  KeyConfig,
  LocalKeyConfig,
  SignerConfig,
} from '../../core/domain/signing/signer-config.ts';
import { signerTimeoutMs } from './fixed-settings.ts';
import { readSignerToken } from './secret-files.ts';
import type { KeySection, SignerSection } from './signer-schema.ts';

/** A signing key with the contents of its files. Asks at the terminal for a keystore password that no file has. */
export async function toSignerConfig(
  { standIns = [], ...section }: SignerSection,
  chainId: number,
): Promise<SignerConfig> {
  const first = await toKeyConfig(section, chainId);
  const others: KeyConfig[] = [];
  // Sequentially: each may ask for a password.
  for (const one of standIns) others.push(await toKeyConfig(one, chainId));
  return others.length === 0 ? first : { ...first, standIns: others };
}

async function toKeyConfig(section: KeySection, chainId: number): Promise<KeyConfig> {
  const { keystoreFile, passwordFile, ethSign, awsKms, googleKms } = section;
  if (ethSign !== undefined) return toEthSign(ethSign);
  if (awsKms !== undefined) return { kind: 'aws-kms', timeoutMs: signerTimeoutMs, ...omitAbsent(awsKms) };
  if (googleKms !== undefined) return { kind: 'google-kms', timeoutMs: signerTimeoutMs, ...omitAbsent(googleKms) };
  return toLocalKey({ keystoreFile, passwordFile }, `chain ${chainId}`);
}

/** A keystore that is opened locally. `owner` describes whose key it is. */
export async function toLocalKey(
  { keystoreFile, passwordFile }: Pick<KeySection, 'keystoreFile' | 'passwordFile'>,
  owner: string,
): Promise<LocalKeyConfig> {
  const json = readNamedFile(keystoreFile ?? '', 'The keystore file');
  const password =
    passwordFile === undefined
      ? await askPassword(
          `Password of the keystore of ${owner}`,
          `The keystore of ${owner} needs a password: set its passwordFile, or start at a terminal.`,
        )
      : readPassword(passwordFile);
  return { kind: 'keystore', json, password: new Secret(password) };
}

function toEthSign({ url, address, tokenFile, caFile }: NonNullable<KeySection['ethSign']>): EthSignConfig {
  const certificateAuthority = caFile === undefined ? undefined : readNamedFile(caFile, 'The certificate file');
  if (certificateAuthority !== undefined && !certificateAuthority.includes('-----BEGIN CERTIFICATE-----')) {
    throw mistake(`The certificate file ${caFile} has no certificate in PEM.`);
  }
  const token = tokenFile === undefined ? undefined : readSignerToken(tokenFile);
  return { kind: 'eth-sign', url, address, timeoutMs: signerTimeoutMs, ...omitAbsent({ token, certificateAuthority }) };
}
