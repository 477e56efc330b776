import {
  type PmSupportedErc20TokensParams,
  pmSupportedErc20Tokens,
} from '@tollfree/contract/rpc/pm-supported-erc20-tokens';
import type { PaymasterDescription } from '../../core/domain/paymaster-data.ts';
import { hexJson, jsonArray, jsonObject, paymasterFieldsJson } from './json.ts';
import type { RpcMethod } from './rpc-method.ts';

export const supportedErc20TokensMethod: RpcMethod<PmSupportedErc20TokensParams> = {
  method: pmSupportedErc20Tokens.method,
  params: pmSupportedErc20Tokens.params,
  paramCount: 1,
  async handle(core, [entryPoint], { apiKey, chainId, arrival }) {
    const result = await core.describePaymaster({ apiKey, chainId, arrival, entryPoint });
    if (!result.ok) return result;
    const tokens = jsonArray(result.value.tokens.map(tokenJson));
    return { ok: true, value: { jsonText: jsonObject({ tokens, paymasterMetadata: metadataJson(result.value) }) } };
  },
};

function tokenJson({ address, symbol, decimals, exchangeRate }: PaymasterDescription['tokens'][number]): string {
  return jsonObject({
    name: JSON.stringify(symbol),
    symbol: JSON.stringify(symbol),
    address: `"${address}"`,
    decimals: String(decimals),
    exchangeRate: hexJson(exchangeRate),
  });
}

function metadataJson(description: PaymasterDescription): string {
  const { name, stub } = description;
  return jsonObject({
    name: JSON.stringify(name),
    description: '""',
    icons: '[]',
    address: `"${stub.paymaster}"`,
    dummyPaymasterAndData:
      stub.entryPointVersion === '0.6' ? `"${stub.paymasterAndData}"` : jsonObject(paymasterFieldsJson(stub, stub)),
  });
}
