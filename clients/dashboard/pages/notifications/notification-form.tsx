import { useMutation } from '@tanstack/react-query';
import type { CreateNotificationRequest, NotificationItem } from '@tollfree/contract/notification';
import { type ReactNode, useState } from 'react';
import { formatEther, parseEther } from 'viem';
import { headersOf } from '../../api/of-paymaster.ts';
import { routes } from '../../api/routes.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { Check } from '../../parts/choice.tsx';
import { FieldForm, type FieldFormProps } from '../../parts/field-form.tsx';
import { coinName } from '../../parts/text/chain-name.ts';
import { TextInput } from '../../parts/text-input.tsx';
import { toast } from '../../parts/toast.tsx';
import { eventLabels, type NotificationEvent } from './event-words.ts';
import { destinationOf, nothingEntered, TargetFields } from './target-fields.tsx';
import { destinationText } from './targets.ts';
import { notificationSettings, useSaveNotification } from './use-save-notification.ts';

/** What a notification is sent for. */
type Settings = Pick<NotificationItem, 'events' | 'tankLow'>;

/** Adds a destination with its events. */
export function NotificationForm({ onDone }: { readonly onDone: () => void }) {
  const headers = headersOf(usePaymaster());
  const save = useMutation({
    // An address can be a secret: it is not kept.
    gcTime: 0,
    mutationFn: (body: CreateNotificationRequest) => routes.notification.create({ headers, body }),
    onSuccess: () => {
      toast('Notification added.');
      onDone();
    },
  });
  const [entered, setEntered] = useState(nothingEntered);
  return (
    <Fields action={save} onSubmit={(settings) => save.mutate({ ...destinationOf(entered), ...settings })}>
      <TargetFields entered={entered} onChange={setEntered} />
    </Fields>
  );
}

type ChangeNotificationProps = { readonly notification: NotificationItem; readonly onDone: () => void };

/** Changes the events of a destination, which stays. */
export function ChangeNotification({ notification, onDone }: ChangeNotificationProps) {
  // As the form was opened.
  const [seen] = useState(() => notificationSettings(notification));
  const save = useSaveNotification(notification);
  return (
    <Fields
      notification={notification}
      action={save}
      onSubmit={({ events, tankLow = seen.settings.tankLow }) =>
        save.mutate(
          { seen, mine: { ...seen.settings, events, tankLow } },
          {
            onSuccess: () => {
              toast('Notification saved.');
              onDone();
            },
          },
        )
      }
    >
      <p>
        <code>{destinationText(notification)}</code>
      </p>
    </Fields>
  );
}

type FieldsProps = {
  /** The notification to change; absent for a new one. */
  readonly notification?: NotificationItem;
  readonly onSubmit: (filled: Settings) => void;
  /** Where messages go, or the fields for that. */
  readonly children: ReactNode;
} & Pick<FieldFormProps, 'action'>;

function Fields({ notification, action, onSubmit, children }: FieldsProps) {
  const { tankLow } = notification ?? {};
  const [events, setEvents] = useState<readonly NotificationEvent[]>(notification?.events ?? ['tank.low']);
  const [coin, setCoin] = useState(
    tankLow?.thresholdWei === undefined ? '' : formatEther(BigInt(tankLow.thresholdWei)),
  );
  const [days, setDays] = useState(tankLow?.daysLeft === undefined ? '3' : String(tankLow.daysLeft));
  const submit = () =>
    onSubmit({
      events: [...events],
      ...(events.includes('tank.low') ? { tankLow: tankLowOf(coin, days) } : {}),
    });
  return (
    <FieldForm
      action={action}
      submit={notification === undefined ? 'Add notification' : 'Save'}
      isDisabled={events.length === 0}
      onSubmit={submit}
    >
      {children}
      <fieldset className="stack">
        <legend className="label">Events</legend>
        {(Object.keys(eventLabels) as NotificationEvent[]).map((event) => (
          <Check
            key={event}
            isSelected={events.includes(event)}
            onChange={(isOn) => setEvents(isOn ? [...events, event] : events.filter((each) => each !== event))}
          >
            {eventLabels[event].title} <code className="small muted">{event}</code>
            <div className="hint">{eventLabels[event].hint}</div>
          </Check>
        ))}
      </fieldset>
      {events.includes('tank.low') ? (
        <TankLowFields coin={coin} setCoin={setCoin} days={days} setDays={setDays} />
      ) : null}
    </FieldForm>
  );
}

type TankLowFieldsProps = {
  readonly coin: string;
  readonly setCoin: (coin: string) => void;
  readonly days: string;
  readonly setDays: (days: string) => void;
};

function TankLowFields({ coin, setCoin, days, setDays }: TankLowFieldsProps) {
  const { chainId } = usePaymaster();
  return (
    <div className="form-row">
      <TextInput
        label={`Low below, in ${coinName(chainId)}`}
        placeholder="0.1"
        value={coin}
        onChange={setCoin}
        check={(text) => (text === '' || /^\d{1,9}(\.\d{1,18})?$/.test(text) ? undefined : 'Write an amount like 0.1.')}
      />
      <TextInput
        label="Low below, in days"
        numeric
        value={days}
        onChange={setDays}
        check={(text) => (/^\d*$/.test(text) ? undefined : 'Write a whole number of days.')}
      />
    </div>
  );
}

/** The thresholds that were filled in. */
function tankLowOf(coin: string, days: string) {
  return {
    ...(coin.trim() === '' ? {} : { thresholdWei: parseEther(coin.trim()).toString() }),
    ...(days.trim() === '' ? {} : { daysLeft: Number(days) }),
  };
}
