import { type Bus, userTopic } from '#server/platform/database/bus.ts';

/** Notifies every open tab of the user of what can be spent now. */
export function publishCredits(bus: Bus, userId: string, credits: number) {
  bus.publish(userTopic(userId), { type: 'credits', credits });
}
