import { counted } from '@tollfree/contract/counted';
import { defaultHoldCaps } from '../../core/domain/chain-config.ts';
import { defaultGatewayLimits } from '../../gateway/gateway-limits.ts';

/** Longest wait of a gateway for a remote core, in milliseconds. */
export const coreDeadlineMs = 15_000;
/** Longest wait for a connection to a webhook, in milliseconds. */
export const webhookConnectTimeoutMs = 500;
/** Time limit of a signer backend for one signature, in milliseconds. */
export const signerTimeoutMs = 2_000;
/** The shortest lifetime of a signature, in seconds. */
export const minValiditySeconds = 60;
/** How long no price is accepted after a chain's sequencer is back, in seconds. */
export const sequencerGraceSeconds = 3_600;

const { rpcBodyBytes, managementBodyBytes, abiBodyBytes } = defaultGatewayLimits;

/** Settings of earlier versions by path (`[]` for a list entry), and what the service does now. */
const fixed: ReadonlyMap<string, string> = new Map([
  ['gateway.limits.rpcBodyBytes', `RPC requests have at most ${rpcBodyBytes} bytes.`],
  ['gateway.limits.managementBodyBytes', `Management requests have at most ${managementBodyBytes} bytes.`],
  ['gateway.limits.abiBodyBytes', `Requests with an ABI have at most ${abiBodyBytes} bytes.`],
  ['webhooks.connectTimeoutMs', `A webhook has ${webhookConnectTimeoutMs} ms to accept a connection.`],
  ['core.deadlineMs', `A gateway waits at most ${coreDeadlineMs} ms for a core.`],
  ['validity.minSeconds', `A signature lasts at least ${minValiditySeconds} seconds.`],
  [
    'holds.maxShareOfTankWithoutExpiry',
    `Signatures without expiry hold at most ${defaultHoldCaps.maxShareOfTankWithoutExpiry} of a gas tank.`,
  ],
  [
    'chains[].sequencerUptime.graceSeconds',
    `No price counts for ${counted(sequencerGraceSeconds, 'second')} after the sequencer is back.`,
  ],
]);

/** For any signer backend. */
const timeoutOfSigner = /(?:^|\.)(?:ethSign|awsKms|googleKms)\.timeoutMs$/;

/** What the service does instead of a former setting at this path; undefined for other paths. */
export function insteadOf(path: readonly PropertyKey[]): string | undefined {
  const name = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
  if (timeoutOfSigner.test(name)) return `A signer backend has ${signerTimeoutMs} ms for a signature.`;
  return fixed.get(name);
}
