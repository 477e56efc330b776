import { useState } from 'react';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Notice } from '../../parts/problem.tsx';
import { shortHex } from '../../parts/value.tsx';
import { BrokenRules } from '../contracts/broken-rules.tsx';
import { ContractForm } from '../contracts/contract-form.tsx';

/** Registers the contract that a refused operation calls. */
export function MissingContract({ address }: { readonly address: string }) {
  const [brokenRules, setBrokenRules] = useState<readonly string[]>();
  return (
    <div className="stack">
      {brokenRules === undefined ? (
        <div>
          <PanelButton
            text={`Register ${shortHex(address)}`}
            kind="primary"
            needs={['manage']}
            title="Register a contract"
          >
            {(close) => <ContractForm address={address} onChanged={setBrokenRules} onDone={close} />}
          </PanelButton>
        </div>
      ) : null}
      <div role="status">
        {brokenRules === undefined ? null : (
          <Notice kind="good">Registered. Ask again to see whether the same request is sponsored now.</Notice>
        )}
      </div>
      <BrokenRules rules={brokenRules ?? []} />
    </div>
  );
}
