import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take the most processor time, in the long run too, the longest first, as measured; any other one is done in less
 * than half a minute. A new property or a test that starts programs belongs here.
 */
const LONGEST = [
  'server/accounts/sign-in/thief.property.long.test.ts',
  'server/accounts/sign-in/owner-first.property.long.test.ts',
  'server/accounts/sign-in/stranger-first.property.test.ts',
  'server/chat/messages/quotes.property.test.ts',
  'server/chat/messages/pictures.property.test.ts',
  'scripts/start.test.ts',
  'server/chat/generation/rolling-restart.test.ts',
  'scripts/copy-commands.test.ts',
  'scripts/schema/old-server.test.ts',
  'server/accounts/email/address-change.property.long.test.ts',
  'server/accounts/abuse/wrong-guesses.property.long.test.ts',
  'server/computer/driving/injection.long.test.ts',
  'server/computer/host/isolation.test.ts',
  'server/computer/host/browser-run.test.ts',
  'server/computer/host/execute-action.test.ts',
  'scripts/admin.test.ts',
  'server/fuzz.test.ts',
  'server/accounts/sign-in/sign-in-timing.long.test.ts',
  'server/files/reading/hostile-files.test.ts',
  'server/files/reading/read-file.test.ts',
  'server/billing/lives.test.ts',
  'server/chat/generation/database-crash.long.test.ts',
  'server/main.test.ts',
  'server/chat/messages/pictures.test.ts',
  'server/platform/postgres/embedded-postgres.test.ts',
  'scripts/audit/audit.test.ts',
  'server/accounts/email/email.test.ts',
  'server/billing/orders/start-checkout.test.ts',
  'server/billing/fourteen-months.long.test.ts',
  'server/chat/generation/crash.test.ts',
  'server/chat/generation/crash-at-the-end.long.test.ts',
  'server/host-clock.test.ts',
  'server/billing/inbox/hostile-provider.test.ts',
  'server/billing/reconciliation/reconcile.test.ts',
  'server/billing/lives.property.test.ts',
  'server/billing/inbox/inbox-crash.test.ts',
  'server/billing/subscriptions/run-cancellation.test.ts',
  'server/chat/generation/failover.long.test.ts',
  'server/files/reading/start-reader.test.ts',
  'server/files/ingest/hostile-uploads.test.ts',
  'scripts/schema/schema.test.ts',
];

/** Begins with the files that take long, so that none of them is left over when everything else is done. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
      return place === -1 ? LONGEST.length : place;
    };
    return sorted.sort((one, other) => placeOf(one) - placeOf(other));
  }
}
