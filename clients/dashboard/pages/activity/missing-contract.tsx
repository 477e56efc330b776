import { useState } from 'react';
import { PanelButton } from '../../parts/panel-button.tsx';
import { Notice } from '../../parts/problem.tsx';
import { shortHex } from '../../parts/value.tsx';
import { ChangeNotes, type NotedChange } from '../contracts/change-notes.tsx';
import { ContractForm } from '../contracts/contract-form.tsx';

/** Registers the contract that a refused operation calls. */
export function MissingContract({ address }: { readonly address: string }) {
  const [noted, setNoted] = useState<NotedChange>();
  return (
    <div className="stack">
      {noted === undefined ? (
        <div>
          <PanelButton
            text={`Register ${shortHex(address)}`}
            kind="primary"
            needs={['manage']}
            title="Register a contract"
          >
            {(close) => <ContractForm address={address} onChanged={setNoted} onDone={close} />}
          </PanelButton>
        </div>
      ) : null}
      <div role="status">
        {noted === undefined ? null : (
          <Notice kind="good">Registered. Ask again to see whether the same request is sponsored now.</Notice>
        )}
      </div>
      <ChangeNotes {...noted} />
    </div>
  );
}
