import { type Bus, userTopic } from '#server/platform/database/bus.ts';

/** Tells every open tab of the user what can be spent now. */
export function publishCredits(bus: Bus, userId: string, credits: number) {
  bus.publish(userTopic(userId), { type: 'credits', credits });
}
