/** Makes waits differ as at random, but in each run of the tests in the same way. */
export function seedRandom(seed: number): void {
	let state = seed;
	jest.spyOn(Math, 'random').mockImplementation(() => {
		state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
		return state / 2 ** 31;
	});
}
