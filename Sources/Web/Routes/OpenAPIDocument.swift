import Gallery
import JSON
import MicroHTTP

/// Writes the OpenAPI 3.1 document of the API from its routes.
enum OpenAPIDocument {
    /// Version of the API: major for incompatible changes.
    static let version = "1.0.0"

    private static let description = """
        A session is one viewport. The page posts its scroll position; the server plans which pictures will be seen, \
        fetches and renders them, and pushes them as events. Lengths are in CSS pixels, times in milliseconds, and items \
        are numbered from 0. Unknown JSON fields are ignored; unknown enum values get 422. HEAD works wherever GET does; \
        OPTIONS returns Allow.
        """
    private static let groups: [(Route.Group, String)] = [
        (.galleries, "Galleries and their pictures."), (.sessions, "A session is one viewport."),
        (.server, "The server itself."),
    ]

    /// - Parameter also: schemas that no route refers to, such as those of the lines of a text.
    static func document(of routes: [Route], also: [Schema]) -> JSON {
        let failures = routes.flatMap(\.allFailures)
        var document: JSONObject = [
            "openapi": "3.1.0",
            "info": [
                "title": "Lookahead", "version": .string(version), "summary": "A gallery server that looks ahead",
                "description": .string(description),
            ],
            "servers": [["url": "../../", "description": "The server of this document."]],
            "security": [[:], ["bearer": []], ["cookie": []]],
        ]
        document["tags"] = .array(groups.map { ["name": .string($0.rawValue), "description": .string($1)] })
        document["paths"] = .object(paths(routes))
        document["components"] = .object([
            "schemas": .object(schemas(routes, failures, also)), "responses": .object(responses(failures)),
            "securitySchemes": [
                "bearer": [
                    "type": "http", "scheme": "bearer",
                    "description": "The token or the view token, for scripts.",
                ],
                "cookie": [
                    "type": "apiKey", "in": "cookie", "name": "lookahead-…",
                    "description": "Set when a page is opened with ?token=.",
                ],
            ],
        ])
        return .object(document)
    }

    private static func paths(_ routes: [Route]) -> JSONObject {
        var paths = JSONObject()
        for route in routes {
            let path = route.path.replacing("...}", with: "}")
            var operations = paths[path]?.object ?? JSONObject()
            operations[route.method.rawValue.lowercased()] = .object(operation(route))
            paths[path] = .object(operations)
        }
        return paths
    }

    private static func operation(_ route: Route) -> JSONObject {
        var operation: JSONObject = [
            "operationId": .string(route.name), "tags": [.string(route.group.rawValue)],
            "summary": .string(route.summary),
        ]
        if let details = route.details { operation["description"] = .string(details) }
        if route.access == .anyone { operation["security"] = [] }
        let parameters = route.pathParameters + route.parameters
        if !parameters.isEmpty { operation["parameters"] = .array(parameters.map { .object(parameter($0)) }) }
        if let body = route.body {
            operation["requestBody"] = ["required": true, "content": .object(content(body.contents))]
        }
        var responses = JSONObject()
        for success in route.successes {
            responses[String(success.status)] = .object(
                response(success.description, success.contents, success.headers))
        }
        for failure in route.allFailures {
            responses[failure.status.map { String($0) } ?? "default"] = [
                "$ref": .string("#/components/responses/\(failure.name)")
            ]
        }
        operation["responses"] = .object(responses)
        if !route.events.isEmpty {
            var events = JSONObject()
            for event in route.events {
                events[event.name] = [
                    "description": .string(event.description), "schema": .object(event.schema.members),
                ]
            }
            operation["x-events"] = .object(events)
        }
        return operation
    }

    private static func parameter(_ parameter: Parameter) -> JSONObject {
        var object: JSONObject = ["name": .string(parameter.name), "in": .string(parameter.place.rawValue)]
        if parameter.isRequired { object["required"] = true }
        object["description"] = .string(parameter.description)
        object["schema"] = .object(parameter.schema.members)
        if let example = parameter.example { object["example"] = .example(example) }
        return object
    }

    private static func response(_ description: String, _ contents: [Content], _ headers: [Header]) -> JSONObject {
        var response: JSONObject = ["description": .string(description)]
        if !contents.isEmpty { response["content"] = .object(content(contents)) }
        var described = JSONObject()
        for header in headers {
            var object = JSONObject()
            if let description = header.description { object["description"] = .string(description) }
            object["schema"] = .object(header.schema.members)
            described[header.name] = .object(object)
        }
        if !headers.isEmpty { response["headers"] = .object(described) }
        return response
    }

    private static func content(_ contents: [Content]) -> JSONObject {
        var object = JSONObject()
        for content in contents {
            var media = JSONObject()
            if let schema = content.schema { media["schema"] = .object(schema.members) }
            if let example = content.example { media["example"] = .example(example) }
            object[content.type] = .object(media)
        }
        return object
    }

    private static func responses(_ failures: [Failure]) -> JSONObject {
        var responses = JSONObject()
        let problem = [Content(type: "application/problem+json", schema: .problem)]
        for failure in failures where responses[failure.name] == nil {
            responses[failure.name] = .object(response(failure.description, problem, failure.headers))
        }
        return responses
    }

    private static func schemas(_ routes: [Route], _ failures: [Failure], _ also: [Schema]) -> JSONObject {
        let used = routes.flatMap { route -> [Schema] in
            let contents = (route.body?.contents ?? []) + route.successes.flatMap(\.contents)
            return route.parameters.map(\.schema) + contents.compactMap(\.schema) + route.events.map(\.schema)
        }
        var schemas = JSONObject()
        for component in (used + [.problem] + also).flatMap(\.components) where schemas[component.name] == nil {
            schemas[component.name] = .object(component.members)
        }
        return schemas
    }
}

extension Route {
    /// Parameters of the path, in their order.
    fileprivate var pathParameters: [Parameter] {
        path.split(separator: "/").compactMap { segment in
            segment.first == "{" ? Parameter.ofPaths[segment.filter(\.isLetter)] : nil
        }
    }
}
