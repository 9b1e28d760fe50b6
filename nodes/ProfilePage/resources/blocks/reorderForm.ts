/** The form that sets the order of a page (the contract, section 4.1). */
export interface ReorderForm extends Record<string, string> {
	page_id: string;
	/** A JSON array of `{ "id", "position" }`. */
	blocks: string;
}

/**
 * @param pageId the page whose blocks are put in order
 * @param blockIds all blocks of the page, the top one first
 * @returns the fields of the form, not yet encoded; positions count from 0 (section 2)
 */
export function buildReorderForm(pageId: string, blockIds: readonly string[]): ReorderForm {
	const blocks = blockIds.map((id, position) => ({ id, position }));
	return { page_id: pageId, blocks: JSON.stringify(blocks) };
}
