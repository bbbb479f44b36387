/** Deletes what this device keeps of a conversation that was deleted. */
export async function deleteConversationCopy(id: string): Promise<void> {
  try {
    const { deleteCopy } = await import('./vault.ts');
    await deleteCopy(id);
  } catch {
    // It goes the next time that the kept conversations are compared with those of the server.
  }
}
