import { type Hex, hashMessage, parseSignature, serializeCompactSignature, signatureToCompactSignature } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { createManagement } from '../../core/management/create-management.ts';
import { accepted, newPaymaster, refusalOf, startManagement, startTime } from '../support/core/start-management.ts';

const invalidSignature = 'INVALID_SIGNATURE: Invalid signature';
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const wallet = privateKeyToAccount(generatePrivateKey());

async function start() {
  const { management, clock, store } = await startManagement();
  const { owned, paymaster } = await newPaymaster(management);
  const newMessage = async () => accepted(await management.createFundingMessage(owned)).fundingMessage;
  const setWallet = (signature: string, address: string = wallet.address) =>
    management.setFundingWallet({ ...owned, signature, address });
  return { management, clock, store, owned, paymaster, newMessage, setWallet };
}

function sign(message: string): Promise<Hex> {
  return wallet.signMessage({ message });
}

/** r, s and v of a 65-byte signature, changed and put together again. */
function remake(
  signature: Hex,
  change: (parts: { r: bigint; s: bigint; v: number }) => { r?: bigint; s?: bigint; v?: number },
): Hex {
  const parts = {
    r: BigInt(signature.slice(0, 66)),
    s: BigInt(`0x${signature.slice(66, 130)}`),
    v: Number(`0x${signature.slice(130)}`),
  };
  const { r, s, v } = { ...parts, ...change(parts) };
  return `0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}${v.toString(16).padStart(2, '0')}`;
}

describe('the message', () => {
  test('names service, paymaster, chain, a nonce, its time and its end, on lines of their own', async () => {
    const { paymaster, newMessage } = await start();
    const message = await newMessage();
    const lines = message.split('\n');
    expect(lines[0]).toContain('Tollfree');
    expect(lines).toContain(`Paymaster: ${paymaster.paymasterId}`);
    expect(lines).toContain('Chain: Devnet (chain ID 1337)');
    expect(lines).toContain(`Issued at: ${new Date(startTime * 1_000).toISOString()}`);
    expect(lines).toContain(`Valid until: ${new Date((startTime + 900) * 1_000).toISOString()}`);
    expect(message).toMatch(/^Nonce: [0-9a-f]{32,}$/m);
    expect(message).not.toContain('\r');
  });

  test('is another one each time', async () => {
    const { newMessage } = await start();
    expect(await newMessage()).not.toBe(await newMessage());
  });

  test('holds no credential', async () => {
    const { paymaster, newMessage } = await start();
    expect(await newMessage()).not.toContain(paymaster.apiKey);
  });
});

describe('the funding wallet', () => {
  test('is set by the signature of its key, and shown checksummed', async () => {
    const { management, owned, paymaster, newMessage, setWallet } = await start();
    const signature = await sign(await newMessage());
    const updated = accepted(await setWallet(signature, wallet.address.toLowerCase()));
    expect(updated).toEqual({ ...paymaster, fundingWallet: wallet.address, etag: expect.any(String) });
    expect(accepted(await management.listPaymasters(owned))).toEqual([updated]);
  });

  test('can be replaced with a new message, and the former ones stay on record with their proofs', async () => {
    const { store, owned, newMessage, setWallet } = await start();
    const next = privateKeyToAccount(generatePrivateKey());
    const first = await newMessage();
    accepted(await setWallet(await sign(first)));
    const second = await newMessage();
    const proof = await next.signMessage({ message: second });
    expect(accepted(await setWallet(proof, next.address)).fundingWallet).toBe(next.address);
    const rows = await store.db
      .selectFrom('funding_wallets')
      .select(['paymaster_id', 'address', 'message', 'signature', 'set_at'])
      .orderBy('funding_wallet_number')
      .execute();
    const common = { paymaster_id: owned.paymasterId, set_at: startTime };
    expect(rows).toEqual([
      { ...common, address: wallet.address, message: first, signature: await sign(first) },
      { ...common, address: next.address, message: second, signature: proof },
    ]);
  });

  test('may have its signature in upper-case hex', async () => {
    const { newMessage, setWallet } = await start();
    const signature = await sign(await newMessage());
    expect((await setWallet(`0x${signature.slice(2).toUpperCase()}`)).ok).toBe(true);
  });
});

describe('no replay', () => {
  test('of a used signature', async () => {
    const { newMessage, setWallet } = await start();
    const signature = await sign(await newMessage());
    accepted(await setWallet(signature));
    expect(refusalOf(await setWallet(signature))).toBe(invalidSignature);
  });

  test('of one signature sent ten times at once: it counts once', async () => {
    const { store, newMessage, setWallet } = await start();
    const signature = await sign(await newMessage());
    const results = await Promise.all(Array.from({ length: 10 }, () => setWallet(signature)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await store.db.selectFrom('funding_wallets').selectAll().execute()).toHaveLength(1);
  });

  test('of an older message: the newest alone counts', async () => {
    const { newMessage, setWallet } = await start();
    const older = await sign(await newMessage());
    const newest = await sign(await newMessage());
    expect(refusalOf(await setWallet(older))).toBe(invalidSignature);
    expect((await setWallet(newest)).ok).toBe(true);
  });

  test('of a message that was replaced while its signature was looked at', async () => {
    const parts = await startManagement();
    const { management, store } = parts;
    const { owned } = await newPaymaster(management);
    const { fundingMessage } = accepted(await management.createFundingMessage(owned));
    let newest = '';
    const interrupted = createManagement({
      ...parts,
      store: {
        ...store,
        async transaction(work) {
          newest = accepted(await management.createFundingMessage(owned)).fundingMessage;
          return store.transaction(work);
        },
      },
      coinPrice: async () => undefined,
    });
    const set = { ...owned, address: wallet.address };
    const replaced = { ...set, signature: await sign(fundingMessage) };
    expect(refusalOf(await interrupted.setFundingWallet(replaced))).toBe(invalidSignature);
    expect((await management.setFundingWallet({ ...set, signature: await sign(newest) })).ok).toBe(true);
  });

  test("of another paymaster's message, of the same account or not", async () => {
    const { management, owned, newMessage, setWallet } = await start();
    const signature = await sign(await newMessage());
    const create = { accountId: owned.accountId, name: 'Second', type: 'HYBRID', chainId: 1337, version: '2.0.0' };
    const second = accepted(await management.createPaymaster(create));
    const { owned: foreign } = await newPaymaster(management);
    for (const other of [{ ...owned, paymasterId: second.paymasterId }, foreign]) {
      accepted(await management.createFundingMessage(other));
      const set = { ...other, signature, address: wallet.address };
      expect(refusalOf(await management.setFundingWallet(set))).toBe(invalidSignature);
    }
    expect((await setWallet(signature)).ok).toBe(true);
  });

  test('after 15 minutes; one second earlier it counts', async () => {
    const { clock, newMessage, setWallet } = await start();
    const expired = await sign(await newMessage());
    clock.advance(900);
    expect(refusalOf(await setWallet(expired))).toBe(invalidSignature);
    const inTime = await sign(await newMessage());
    clock.advance(899);
    expect((await setWallet(inTime)).ok).toBe(true);
  });
});

describe('an invalid signature', () => {
  const forms: [string, (signature: Hex, message: string) => Promise<string> | string][] = [
    ['by another key', (_, message) => privateKeyToAccount(generatePrivateKey()).signMessage({ message })],
    [
      'of the bare hash without the EIP-191 prefix',
      (_, message) => wallet.sign({ hash: hashMessage(hashMessage(message)) }),
    ],
    ['over CRLF line breaks', (_, message) => sign(message.replaceAll('\n', '\r\n'))],
    ['over a trailing line break', (_, message) => sign(`${message}\n`)],
    ['over the message without line breaks', (_, message) => sign(message.replaceAll('\n', ' '))],
    ['over another letter case', (_, message) => sign(message.toUpperCase())],
    ['its high-s twin', (signature) => remake(signature, ({ s, v }) => ({ s: curveOrder - s, v: v === 27 ? 28 : 27 }))],
    ['with high s alone', (signature) => remake(signature, ({ s }) => ({ s: curveOrder - s }))],
    ['with v 0 or 1', (signature) => remake(signature, ({ v }) => ({ v: v - 27 }))],
    ['with the other v', (signature) => remake(signature, ({ v }) => ({ v: v === 27 ? 28 : 27 }))],
    ['with v 29', (signature) => remake(signature, () => ({ v: 29 }))],
    ['with the v of EIP-155', (signature) => remake(signature, ({ v }) => ({ v: v + 10 }))],
    ['with r zero', (signature) => remake(signature, () => ({ r: 0n }))],
    ['with s zero', (signature) => remake(signature, () => ({ s: 0n }))],
    ['with r the order of the curve', (signature) => remake(signature, () => ({ r: curveOrder }))],
    ['with s the order of the curve', (signature) => remake(signature, () => ({ s: curveOrder }))],
    ['with r that is on no point', (signature) => remake(signature, () => ({ r: 5n }))],
    [
      'in 64 bytes (EIP-2098)',
      (signature) => serializeCompactSignature(signatureToCompactSignature(parseSignature(signature))),
    ],
    ['in 66 bytes', (signature) => `${signature}00`],
    ['in half a byte less', (signature) => signature.slice(0, -1)],
    ['with a letter that is no digit', (signature) => `${signature.slice(0, -1)}g`],
    ['without 0x', (signature) => signature.slice(2)],
    ['with a line feed', (signature) => `${signature}\n`],
    ['empty', () => ''],
    ['0x', () => '0x'],
    ['of zeros', () => `0x${'00'.repeat(65)}`],
    ['of ones', () => `0x${'ff'.repeat(65)}`],
  ];

  test.each(forms)('%s, and the message can still be used', async (_, form) => {
    const { management, owned, newMessage, setWallet } = await start();
    const message = await newMessage();
    const signature = await sign(message);
    expect(refusalOf(await setWallet(await form(signature, message)))).toBe(invalidSignature);
    expect(accepted(await management.listPaymasters(owned))[0]?.fundingWallet).toBeUndefined();
    expect((await setWallet(signature)).ok).toBe(true);
  });

  test('of a wallet other than the address', async () => {
    const { newMessage, setWallet } = await start();
    const signature = await sign(await newMessage());
    const other = privateKeyToAccount(generatePrivateKey()).address;
    expect(refusalOf(await setWallet(signature, other))).toBe(invalidSignature);
  });

  test('when no message was asked for', async () => {
    const { setWallet } = await start();
    expect(refusalOf(await setWallet(await sign('')))).toBe(invalidSignature);
  });
});

describe('the address', () => {
  test.each(['', '0x', `0x${'0'.repeat(40)}`, wallet.address.slice(2), `${wallet.address}00`, 'ada.eth'])(
    '%j is refused before the signature is looked at',
    async (address) => {
      const { newMessage, setWallet } = await start();
      const refusal = 'INVALID_FIELD: address must be a valid address';
      expect(refusalOf(await setWallet(await sign(await newMessage()), address))).toBe(refusal);
      expect(refusalOf(await setWallet('nonsense', address))).toBe(refusal);
    },
  );
});
