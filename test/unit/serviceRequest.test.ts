import { describeFailure } from '../../nodes/ProfilePage/wire/serviceRequest';

const once = { failure: 'The link was not created', doubt: 'It is not known' };

test.each([
	['what may be done twice', { failure: 'Not read' }, false, 'Not read: it broke.'],
	['what certainly was not done', once, true, 'The link was not created: it broke.'],
	[
		'what may have been done, and must not be done twice',
		once,
		false,
		'It is not known: it broke. Before you try again, look whether it was done after all.',
	],
])('says of %s what is known', (_what, request, isNotDone, words) => {
	expect(describeFailure(request, 'it broke.', isNotDone)).toBe(words);
});
