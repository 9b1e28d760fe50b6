import { readPathExpression } from '../../nodes/ProfilePage/fields/fieldReader';

test.each([
	['={{ $json.page }}', ['page']],
	['={{$json.page}}', ['page']],
	['={{ $json.a.b_2.$c }}', ['a', 'b_2', '$c']],
	["={{ $json['page id'].x }}", ['page id', 'x']],
	['={{ $json["it\'s"] }}', ["it's"]],
	["={{ $json[''] }}", ['']],
])('%s is a path into the item', (expression, path) => {
	expect(readPathExpression(expression)).toEqual(path);
});

test.each([
	'$json.page',
	'{{ $json.page }}',
	'={{ $json }}',
	'={{ $json.page + 1 }}',
	'={{ $json.page() }}',
	'={{ $json.list[0] }}',
	'={{ $json?.page }}',
	'={{ $json["a\\"b"] }}',
	'={{ $json["a}}b"] }}',
	'={{ $json[\'a"] }}',
	'={{ $json.page }} ',
	'=x{{ $json.page }}',
	'={{ $json.a }}{{ $json.b }}',
	'={{ $json.a /* why */ }}',
	"={{ $('Node').item.json.page }}",
	7,
	null,
	['={{ $json.page }}'],
])('%j is more than that, and left to n8n', (expression) => {
	expect(readPathExpression(expression)).toBeUndefined();
});
